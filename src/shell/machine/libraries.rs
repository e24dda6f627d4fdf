//! Opens system libraries at run time: ALSA, udev and the speech-dispatcher client.
//!
//! The crates that use them expect the linker to find them, and the loader would not start a
//! program that lacks one. So we define their functions, each as a jump to the library's function;
//! `build.rs` gives the linker empty archives with their names. Before using such a crate, check
//! here that the library is present.
#![cfg_attr(
    opened_at_run_time,
    expect(
        unsafe_code,
        reason = "a foreign library has a foreign interface, and a jump has no types"
    )
)]

/// Whether ALSA is present. Without it there is neither microphone nor loudspeaker.
#[cfg(feature = "audio")]
pub(crate) fn has_alsa() -> bool {
    #[cfg(opened_at_run_time)]
    {
        static IS_OPEN: OnceLock<bool> = OnceLock::new();
        *IS_OPEN.get_or_init(|| open("libasound.so.2", alsa::FUNCTIONS))
    }
    #[cfg(not(opened_at_run_time))]
    true
}

/// Whether the speech-dispatcher client is present. Without it its voices cannot be used.
#[cfg(feature = "voice")]
pub(crate) fn has_speech_client() -> bool {
    #[cfg(opened_at_run_time)]
    {
        static IS_OPEN: OnceLock<bool> = OnceLock::new();
        *IS_OPEN.get_or_init(|| open("libspeechd.so.2", speech::FUNCTIONS))
    }
    #[cfg(not(opened_at_run_time))]
    true
}

/// Whether udev is present, which reports gamepads and what is connected to ports.
#[cfg(any(feature = "gamepad", feature = "serial"))]
pub(crate) fn has_udev() -> bool {
    #[cfg(opened_at_run_time)]
    {
        static IS_OPEN: OnceLock<bool> = OnceLock::new();
        *IS_OPEN.get_or_init(|| open("libudev.so.1", udev::FUNCTIONS))
    }
    #[cfg(not(opened_at_run_time))]
    true
}

#[cfg(opened_at_run_time)]
use {
    libloading::Library,
    std::ffi::c_void,
    std::sync::OnceLock,
    std::sync::atomic::{AtomicPtr, Ordering},
};

/// A function of a library.
#[cfg(opened_at_run_time)]
struct Function {
    name: &'static str,
    /// Its address; before the library is open, that of [`absent`].
    place: &'static AtomicPtr<c_void>,
    /// The jump to that address. It is named here so that the linker keeps it.
    _jump: unsafe extern "C" fn(),
}

/// Opens a library and directs the jumps into it, if it has all the functions.
#[cfg(opened_at_run_time)]
fn open(file: &str, functions: &[Function]) -> bool {
    // SAFETY: these libraries of the system run no code of note on loading.
    let Ok(library) = (unsafe { Library::new(file) }) else {
        return false;
    };
    let place_of = |function: &Function| {
        // SAFETY: it is looked up and not called; its callers take its type from their crate.
        let found = unsafe { library.get::<unsafe extern "C" fn()>(function.name.as_bytes()) };
        found.ok().map(|it| *it as *mut c_void)
    };
    let places: Option<Vec<_>> = functions.iter().map(place_of).collect();
    let Some(places) = places else {
        return false;
    };
    for (function, place) in functions.iter().zip(places) {
        function.place.store(place, Ordering::Release);
    }
    // It stays open as long as the program runs.
    std::mem::forget(library);
    true
}

/// Stands in for every function of a library that is not open. The first functions of udev and
/// speech-dispatcher return a pointer, and this is the null that means failure.
#[cfg(opened_at_run_time)]
extern "C" fn absent() -> isize {
    0
}

/// Defines the functions of a library and their list.
#[cfg(opened_at_run_time)]
macro_rules! functions {
    ($($name:ident)*) => {
        use super::{Function, absent};
        use std::ffi::c_void;
        use std::sync::atomic::AtomicPtr;

        pub(super) static FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            place: &$name::PLACE,
            _jump: $name::$name,
        }),*];

        $(mod $name {
            use super::*;

            pub(super) static PLACE: AtomicPtr<c_void> =
                AtomicPtr::new(absent as *const () as *mut c_void);

            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            pub(super) unsafe extern "C" fn $name() {
                #[cfg(target_arch = "x86_64")]
                std::arch::naked_asm!("jmp qword ptr [rip + {place}]", place = sym PLACE);
                #[cfg(target_arch = "aarch64")]
                std::arch::naked_asm!(
                    "adrp x16, {place}",
                    "ldr x16, [x16, :lo12:{place}]",
                    "br x16",
                    place = sym PLACE
                );
            }
        })*
    };
}

#[cfg(all(opened_at_run_time, feature = "audio"))]
mod alsa {
    functions! {
        snd_card_next snd_config_update snd_config_update_free_global snd_ctl_card_info
        snd_ctl_card_info_free snd_ctl_card_info_get_name snd_ctl_card_info_malloc snd_ctl_close
        snd_ctl_open snd_ctl_pcm_info snd_ctl_pcm_next_device snd_device_name_free_hint
        snd_device_name_get_hint snd_device_name_hint snd_lib_error_set_handler
        snd_pcm_avail_delay snd_pcm_bytes_to_frames snd_pcm_close snd_pcm_format_physical_width
        snd_pcm_get_params snd_pcm_hw_params snd_pcm_hw_params_any snd_pcm_hw_params_can_resume
        snd_pcm_hw_params_copy snd_pcm_hw_params_current snd_pcm_hw_params_free
        snd_pcm_hw_params_get_buffer_size_max snd_pcm_hw_params_get_channels_max
        snd_pcm_hw_params_get_channels_min snd_pcm_hw_params_get_format
        snd_pcm_hw_params_get_period_size snd_pcm_hw_params_get_period_size_max
        snd_pcm_hw_params_get_period_size_min snd_pcm_hw_params_get_rate
        snd_pcm_hw_params_get_rate_max snd_pcm_hw_params_get_rate_min snd_pcm_hw_params_malloc
        snd_pcm_hw_params_set_access snd_pcm_hw_params_set_buffer_size_near
        snd_pcm_hw_params_set_channels snd_pcm_hw_params_set_format
        snd_pcm_hw_params_set_period_size_near snd_pcm_hw_params_set_rate
        snd_pcm_hw_params_supports_audio_ts_type snd_pcm_hw_params_test_channels
        snd_pcm_hw_params_test_format snd_pcm_hw_params_test_rate snd_pcm_info snd_pcm_info_free
        snd_pcm_info_get_name snd_pcm_info_get_stream snd_pcm_info_malloc
        snd_pcm_info_set_device snd_pcm_info_set_stream snd_pcm_info_set_subdevice snd_pcm_open
        snd_pcm_pause snd_pcm_poll_descriptors snd_pcm_poll_descriptors_count
        snd_pcm_poll_descriptors_revents snd_pcm_prepare snd_pcm_readi snd_pcm_recover
        snd_pcm_resume snd_pcm_start snd_pcm_state snd_pcm_status
        snd_pcm_status_get_audio_htstamp snd_pcm_status_get_htstamp snd_pcm_status_get_state
        snd_pcm_status_get_trigger_htstamp snd_pcm_status_set_audio_htstamp_config
        snd_pcm_status_sizeof snd_pcm_sw_params snd_pcm_sw_params_current snd_pcm_sw_params_free
        snd_pcm_sw_params_malloc snd_pcm_sw_params_set_avail_min
        snd_pcm_sw_params_set_start_threshold snd_pcm_sw_params_set_tstamp_mode
        snd_pcm_sw_params_set_tstamp_type snd_pcm_writei
    }
}

#[cfg(all(opened_at_run_time, feature = "voice"))]
mod speech {
    functions! {
        free_spd_voices spd_cancel spd_close spd_get_voice_pitch spd_get_voice_rate spd_get_volume
        spd_list_synthesis_voices spd_open spd_say spd_send_data spd_set_notification_on
        spd_set_punctuation spd_set_synthesis_voice spd_set_voice_pitch spd_set_voice_rate
        spd_set_volume
    }
}

#[cfg(all(opened_at_run_time, any(feature = "gamepad", feature = "serial")))]
mod udev {
    functions! {
        udev_device_get_action udev_device_get_devnode udev_device_get_devtype
        udev_device_get_driver udev_device_get_parent udev_device_get_property_value
        udev_device_get_sysname udev_device_get_syspath udev_device_get_udev
        udev_device_new_from_syspath udev_device_ref udev_device_unref
        udev_enumerate_add_match_property udev_enumerate_add_match_subsystem
        udev_enumerate_get_list_entry udev_enumerate_get_udev udev_enumerate_new
        udev_enumerate_scan_devices udev_enumerate_unref udev_list_entry_get_name
        udev_list_entry_get_next udev_monitor_enable_receiving
        udev_monitor_filter_add_match_subsystem_devtype udev_monitor_get_fd
        udev_monitor_new_from_netlink udev_monitor_receive_device udev_monitor_unref udev_new
        udev_ref udev_unref
    }
}

#[cfg(all(test, opened_at_run_time, feature = "audio"))]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_absent_or_lacks_a_function_is_not_there() {
        assert!(!open("libannexd-has-none.so.9", alsa::FUNCTIONS));
        // The library exists, but is a different one.
        assert!(!open("libc.so.6", alsa::FUNCTIONS));
    }

    #[test]
    fn the_jumps_lead_into_the_library() {
        assert!(has_alsa());
        for function in alsa::FUNCTIONS {
            let place = function.place.load(Ordering::Acquire);
            assert_ne!(
                place, absent as *const () as *mut c_void,
                "{}",
                function.name
            );
        }
    }
}
